// SPDX-License-Identifier: MIT
// streams.cjs NODE_MODULES OPENAPI events PATH FILE: each event of a stream that the document says PATH has.
// streams.cjs NODE_MODULES OPENAPI answer PATH STATUS TYPE FILE: an answer's content type, and its content.
// Says what is not as described, and exits 1; else how much was looked at.
const fs = require('fs');
const [modules, openapi, what, path, ...rest] = process.argv.slice(2);
const Ajv = require(modules + '/ajv/dist/2020').default;
const document = require(modules + '/js-yaml').load(fs.readFileSync(openapi, 'utf8'));
const ajv = new Ajv({strict: false, allErrors: true});
require(modules + '/ajv-formats').default(ajv);
ajv.addSchema(document, 'document');

function fail(text) {
  console.log(text);
  process.exit(1);
}

// A reference within the document, followed once.
function at(node) {
  return node && node.$ref ? node.$ref.slice(2).split('/').reduce((n, k) => n[k], document) : node;
}

function judge(schema, value, name) {
  const valid = ajv.compile(JSON.parse(JSON.stringify(schema).replace(/"#\//g, '"document#/')));
  if (!valid(value)) fail(`${name}: ${ajv.errorsText(valid.errors)}: ${JSON.stringify(value)}`);
}

function described(status) {
  const {responses} = document.paths[path].get;
  return at(responses[status] || responses.default).content;
}

function events(file) {
  const stream = described('200')['text/event-stream'];
  let n = 0;
  if (!stream) fail(`${path} has no stream of events`);
  for (const block of fs.readFileSync(file, 'utf8').split('\n\n').slice(0, -1)) {
    if (/^(:.*\n?)+$/.test(block)) continue;
    const m = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block);
    if (!m) fail(`no event: ${block}`);
    const data = JSON.parse(m[3]);
    judge(stream['x-event-data'], data, m[1]);
    if (data.id !== m[1] || data.type !== m[2]) fail(`${m[1]} ${m[2]} is not what its data says: ${m[3]}`);
    n++;
  }
  console.log(n);
}

function answer(status, type, file) {
  const content = described(status)[type.split(';')[0]], text = fs.readFileSync(file, 'utf8');
  if (!content) fail(`${path} never answers ${status} as ${type}`);
  judge(content.schema, /json/.test(type) ? JSON.parse(text) : text, path);
  console.log(text.length);
}

({events, answer})[what](...rest);
