const segment = /^[A-Za-z0-9][A-Za-z0-9_. -]*$/;

export function isDocSegment(name: string): boolean {
  return segment.test(name);
}

export function firstSegment(id: string): string {
  return id.split('/', 1)[0] ?? '';
}

export function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
