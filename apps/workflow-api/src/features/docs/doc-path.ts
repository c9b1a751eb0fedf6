const segment = /^[A-Za-z0-9][A-Za-z0-9_. -]*$/;

export function isDocSegment(name: string): boolean {
  return segment.test(name);
}

const maxIdLength = 256;

/** Whether a document may have this path below the folder of all documents. */
export function isDocId(id: string): boolean {
  return id.length <= maxIdLength && id.split('/').every(isDocSegment);
}

export function firstSegment(id: string): string {
  return id.split('/', 1)[0] ?? '';
}

export function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
