// Scalar gives the nonce only to its main style sheet; with this file before it, all of its style elements have it, so
// that the policy of the page need not allow others.
const { content: nonce } = document.querySelector('meta[property=csp-nonce]');
const { createElement } = Document.prototype;
Document.prototype.createElement = function create(...args) {
  const element = Reflect.apply(createElement, this, args);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};
