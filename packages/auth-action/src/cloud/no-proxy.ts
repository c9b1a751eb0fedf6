const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Whether an entry of NO_PROXY covers the host of the URL, as in curl: `*`, or a domain, which covers its subdomains
 * (`example.com`, `.example.com`, `*.example.com`), or either with a port.
 */
export function isDirect(noProxy: string, { hostname, port, protocol }: URL): boolean {
  const usedPort = port === '' ? defaultPorts[protocol] : port;
  const entries = noProxy.toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => {
    const onlyPort = /:(\d{1,5})$/.exec(entry)?.[1];
    if (onlyPort !== undefined && onlyPort !== usedPort) return false;
    const pattern = entry.replace(/:\d{1,5}$/, '');
    const name = pattern.replace(/^\*?\.?/, '');
    return pattern === '*' || hostname === name || hostname.endsWith(`.${name}`);
  });
}
