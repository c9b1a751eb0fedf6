const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Whether an entry of NO_PROXY covers the host of the URL, as in curl: `*`, or a domain, which covers its subdomains
 * (`example.com`, `.example.com`, `*.example.com`), or either with a port.
 */
export function isDirect(noProxy: string, { hostname, port, protocol }: URL): boolean {
  const usedPort = port === '' ? defaultPorts[protocol] : port;
  return noProxy.split(/[\s,]+/).some((entry) => {
    const [, name = '', onlyPort = usedPort] = /^\*?\.?(.*?)(?::(\d{1,5}))?$/.exec(entry.toLowerCase()) ?? [];
    if (onlyPort !== usedPort) return false;
    return entry.startsWith('*') && name === '' ? true : hostname === name || hostname.endsWith(`.${name}`);
  });
}
