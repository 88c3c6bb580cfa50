// Trusted Types: the page starts these scripts of its own folder, and no others.

const SCRIPTS = ['worker.js', 'service.js'];

const rules = {
  createScriptURL(name) {
    if (!SCRIPTS.includes(name)) throw new TypeError(`${name} is not a script to start`);
    return new URL(name, import.meta.url).href;
  },
};
let policy;

/** The address of one of these scripts, in the form that the Content-Security-Policy asks for. */
export function script(name) {
  policy ??= globalThis.trustedTypes?.createPolicy('solrex', rules) ?? rules;
  return policy.createScriptURL(name);
}
