// SPDX-License-Identifier: MIT
// through.cjs NODE_MODULES DOCUMENT SOCKET: Prism as a judging proxy before a platform on a Unix socket. Prints its URL when
// it answers, and ends with its standard input.
const {spawn} = require('child_process');
const http = require('http');
const net = require('net');
const [modules, document, socket] = process.argv.slice(2);

// Prism speaks TCP alone.
const pipe = net.createServer(client => {
  const upstream = net.connect(socket);
  client.pipe(upstream).pipe(client);
  client.on('error', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
});

function free(then) {
  const s = net.createServer().listen(0, '127.0.0.1', () => {
    const {port} = s.address();
    s.close(() => then(port));
  });
}

function answers(port, then) {
  http.get({port, path: '/v1/gpus'}, r => { r.resume(); then(); })
    .on('error', () => setTimeout(answers, 100, port, then));
}

pipe.listen(0, '127.0.0.1', () => free(port => {
  const prism = spawn(modules + '/.bin/prism', ['proxy', document, `http://127.0.0.1:${pipe.address().port}`,
    '-p', port, '--errors', '--validate-request=false', '-v', 'error'], {stdio: ['ignore', 2, 2]});
  prism.on('exit', code => process.exit(code || 1));
  process.stdin.resume().on('end', () => { prism.removeAllListeners('exit'); prism.kill(); process.exit(0); });
  answers(port, () => console.log(`http://127.0.0.1:${port}`));
}));
