// Keeps the page for visits without network, where it is a site; and goes to a new version of it without mixing two.

import { script } from './trusted.js';

/** Long enough for the first verdicts, which matter more. */
const LATER = 1000;

/** `say(text)` tells the reader something. */
export async function stayOffline(say) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  let answered = Boolean(serviceWorker.controller);
  serviceWorker.addEventListener('controllerchange', () => {
    // Another version answers from now on, which this page does not fit.
    if (answered) location.reload();
    answered = true;
  });
  const { version } = document.documentElement.dataset;
  // Served by the program, which is there or is not.
  if (!version) return;
  try {
    // A new version may have come in while an earlier page was open. Nothing has been done in this one yet.
    (await serviceWorker.getRegistration())?.waiting?.postMessage({ wants: 'next' });
    await new Promise((resolve) => { setTimeout(resolve, LATER); });
    const registration = await serviceWorker.register(script('service.js'));
    registration.addEventListener('updatefound', () => {
      const next = registration.installing;
      next.addEventListener('statechange', () => {
        if (next.state === 'installed' && registration.active) say('A new version is ready: close other tabs of this page, then reload it.');
      });
    });
    const { active } = await serviceWorker.ready;
    if (!answered) active.postMessage({ wants: 'this', version });
  } catch {
    // The browser allows no service worker here. Everything else works.
  }
}
