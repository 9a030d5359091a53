// SPDX-License-Identifier: MIT
// strict.cjs NODE_MODULES OPENAPI [KIND.FIELD]: a copy of the document for tests, in which nothing may be answered that it
// does not name. With KIND.FIELD that property is left out, so that a test sees the judge find it.
const fs = require('fs');
const yaml = require(process.argv[2] + '/js-yaml');
const document = yaml.load(fs.readFileSync(process.argv[3], 'utf8'));

function close(node) {
  if (!node || typeof node !== 'object') return;
  if (!Array.isArray(node) && node.type && node.properties && node.additionalProperties === undefined)
    node.additionalProperties = false;
  Object.values(node).forEach(close);
}

close(document);
if (process.argv[4]) {
  const [kind, field] = process.argv[4].split('.');
  const schema = document.components.schemas[kind];
  if (!schema.properties[field]) throw new Error(`${kind} has no ${field}`);
  delete schema.properties[field];
  schema.required = (schema.required || []).filter(name => name !== field);
}
process.stdout.write(yaml.dump(document, {noRefs: true}));
