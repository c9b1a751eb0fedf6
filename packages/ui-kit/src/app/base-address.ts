/** The interface is served below this address, which ends with a slash. The base element contains it. */
export const baseAddress = new URL('.', document.baseURI);

/** The path of the address without the last slash; empty for the root. */
export const basePath = baseAddress.pathname.replace(/\/$/, '');
