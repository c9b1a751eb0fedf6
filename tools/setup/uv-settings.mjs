/** The names of a setting for pip and for uv. */
const names = {
  'index-url': 'UV_DEFAULT_INDEX',
  'extra-index-url': 'UV_INDEX',
  'find-links': 'UV_FIND_LINKS',
  'trusted-host': 'UV_INSECURE_HOST',
  cert: 'SSL_CERT_FILE',
};

/** Reads `pip config list`, so that uv installs from where pip would; uv reads no settings of pip. */
export function uvSettings(list) {
  const settings = {};
  for (const line of list.split('\n')) {
    const [, name, value] = /^(?:global|install|:env:)\.([\w-]+)='(.*)'\r?$/.exec(line) ?? [];
    if (name in names && value !== '') settings[names[name]] = value.replaceAll('\\n', ' ').trim();
  }
  return settings;
}
