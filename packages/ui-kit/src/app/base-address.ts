/** The address below which the interface is served, with a slash at its end. It is that of the base element. */
export const baseAddress = new URL('.', document.baseURI);

/** The same as a path without the last slash; empty for the root. */
export const basePath = baseAddress.pathname.replace(/\/$/, '');
