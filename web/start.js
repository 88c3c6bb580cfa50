// Runs before the page, also in browsers that cannot run the page: if it does not start, a sentence says why.

(function () {
  var NEEDS = 'Any browser from 2023 or later can show it.';
  var MARK = 'solrex.again';

  function tell(text) {
    var place = document.getElementById('trouble');
    // The page takes it away once it has started.
    if (!place) return;
    place.textContent = text;
    place.removeAttribute('hidden');
  }

  /** Loads all files anew, past the browser's cache, and then the page; once. */
  function again(otherwise) {
    try {
      if (sessionStorage.getItem(MARK)) throw new Error('it was tried before');
      sessionStorage.setItem(MARK, 'yes');
      var nodes = document.querySelectorAll('script[src], link[rel=modulepreload], link[rel=stylesheet]');
      Promise.all(Array.prototype.map.call(nodes, function (node) {
        return fetch(node.src || node.href, { cache: 'reload' });
      })).then(function () { location.reload(); }, otherwise);
    } catch (error) {
      otherwise();
    }
  }

  if (!('noModule' in document.createElement('script'))) {
    tell('This browser is too old for this page. ' + NEEDS);
    return;
  }
  window.addEventListener('error', function (event) {
    if (!document.getElementById('trouble')) return;
    if (event.target.tagName === 'SCRIPT') {
      // Or it is of another version: then its hash is not the one that the page wants.
      again(function () { tell('A part of this page could not be loaded. Reload it in a moment.'); });
    } else if (event.message) {
      tell('This page does not start in this browser (' + event.message + '). ' + NEEDS);
    }
  }, true);
  window.addEventListener('load', function () {
    try {
      if (!document.getElementById('trouble')) sessionStorage.removeItem(MARK);
    } catch (error) {
      // The browser stores nothing, so there is nothing to remove.
    }
  });
})();
