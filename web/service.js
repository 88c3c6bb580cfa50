// The service worker of the site: after the first visit the page needs no network. Each version has a cache of its own, and a
// page gets the files of one version only.

/** The version, and each file of it with its hash. `scripts/site` fills this in; `solrex serve` leaves it empty. */
const SITE = { version: '', files: {} };

/** Other sites of this server may have caches too. */
const FAMILY = `solrex ${registration.scope} `;
const CACHE = FAMILY + SITE.version;

const addressOf = (name) => new URL(name === 'index.html' ? './' : name, registration.scope).href;

/** The file of this version that an address means, if it means one. */
function fileAt(address) {
  const { origin, pathname } = new URL(address);
  if (!(origin + pathname).startsWith(registration.scope)) return null;
  const name = (origin + pathname).slice(registration.scope.length) || 'index.html';
  return Object.hasOwn(SITE.files, name) ? name : null;
}

/** A file from the network. Fails if it is of another version. */
async function load(name) {
  const take = (cache) => fetch(addressOf(name), { cache, integrity: SITE.files[name] });
  // The browser's own cache, or one on the way, may have an older file.
  const response = await take('no-cache').catch(() => take('reload'));
  // A new one, since a page may not be answered with what came by way of a redirect.
  return new Response(response.body, { headers: { 'Content-Type': response.headers.get('Content-Type') ?? '' } });
}

/** All files or none: while a new version is being uploaded, this fails, and the browser tries again later. */
async function install() {
  if (!SITE.version) return skipWaiting();
  const cache = await caches.open(CACHE);
  try {
    await Promise.all(Object.keys(SITE.files).map(async (name) => cache.put(addressOf(name), await load(name))));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

/** From now on this version answers. Where a server with an engine has taken the place of a site, nothing is kept at all. */
async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(FAMILY) && (name !== CACHE || !SITE.version));
  await Promise.all(old.map((name) => caches.delete(name)));
  if (!SITE.version) await registration.unregister();
}

async function answer(name, navigates) {
  const kept = await caches.match(addressOf(name), { cacheName: CACHE });
  if (kept) return kept;
  // Somebody has emptied the cache. The next visit begins from nothing.
  if (!navigates) return load(name);
  await registration.unregister();
  return fetch(addressOf(name));
}

/**
 * What a page wants: that the version that waits takes over, or that a page of this version, which came by network, is
 * answered from here. Both would mix versions if a page of another one is open, so they are done for a single page only.
 */
async function hear({ wants, version }) {
  const all = await clients.matchAll({ includeUncontrolled: true, type: 'window' });
  if (all.filter(({ url }) => url.startsWith(registration.scope)).length > 1) return;
  if (wants === 'next') await skipWaiting();
  if (wants === 'this' && version === SITE.version) await clients.claim();
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('message', (event) => event.waitUntil(hear(event.data)));
addEventListener('fetch', (event) => {
  const name = event.request.method === 'GET' && fileAt(event.request.url);
  if (name) event.respondWith(answer(name, event.request.mode === 'navigate'));
});
