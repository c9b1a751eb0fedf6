import type { JsonObject } from '../../../model/json';
import { keySpec } from '../../../shapes/object-kind';
import type { Field } from '../../../shapes/read-object';
import { atMostOne, exactlyOne } from '../../../shapes/settings/key-choice';
import { fingerprint, flag, port, settingBound, texts, word } from '../../../shapes/settings/setting-shapes';
import { settingsShape } from '../../../shapes/settings/settings-shape';
import { namedShape, shape } from '../../../shapes/shape';
import { nonEmptyText, recordShape, text } from '../../../shapes/shapes';
import { getEntries, getKind, report, type YamlValue } from '../../../source/yaml/yaml-value';

const server = namedShape(
  'MailAccountServer',
  settingsShape({
    title: 'server of a mail account',
    keys: {
      host: keySpec('Host', nonEmptyText),
      port: keySpec('Port', port),
      security: keySpec('tls or starttls', word('tls', 'starttls')),
      skip_tls_verify: keySpec('Accept any certificate', flag),
      tls_cert_sha256: keySpec('SHA-256 of the only accepted certificate', fingerprint),
    },
    choices: [atMostOne('skip_tls_verify', 'tls_cert_sha256')],
    check: ({ security, port: given }) => {
      if (security?.value === undefined || given !== undefined) return;
      if (security.value === 'tls' || security.value === 'starttls') return;
      report(security.source, 'missing_key', 'port is required when security is a reference');
    },
  }),
);

const oauth = settingsShape({
  title: 'oauth of a mail account',
  keys: {
    provider: keySpec('google_refresh or microsoft_refresh', word('google_refresh', 'microsoft_refresh'), {
      required: true,
    }),
    client_id: keySpec('Client ID', nonEmptyText, { required: true }),
    client_secret: keySpec('Client secret', nonEmptyText),
    refresh_token: keySpec('Refresh token', nonEmptyText, { required: true }),
    tenant_id: keySpec('Tenant; common by default', nonEmptyText),
    scopes: keySpec('Scopes', texts('scopes')),
  },
  check: ({ provider, client_secret: secret, tenant_id: tenant, scopes }, value) => {
    if (provider?.value !== 'google_refresh') return;
    if (secret === undefined) report(value, 'missing_key', 'client_secret is required for google_refresh');
    for (const field of [tenant, scopes]) if (field !== undefined) reportMicrosoftOnly(field);
  },
});

function reportMicrosoftOnly({ source }: Field<unknown>): void {
  report(source, 'invalid_value', 'tenant_id and scopes are for microsoft_refresh only');
}

/** One mailbox of `mail_accounts`. All strings may contain references. */
export const mailAccount = namedShape(
  'MailAccount',
  settingsShape({
    title: 'mail account',
    keys: {
      provider: keySpec('Whose servers; imap by default', word('google', 'microsoft', 'imap')),
      imap: keySpec('Server that holds the mail', server),
      smtp: keySpec('Server that sends mail', server),
      username: keySpec('User name; the address by default', text),
      password: keySpec('Password', nonEmptyText),
      oauth: keySpec('Refresh token instead of a password', oauth),
    },
    choices: [exactlyOne('password', 'oauth')],
    check: ({ provider, imap }, value) => {
      if (provider !== undefined && provider.value !== 'imap') return;
      if (imap?.value?.host === undefined) report(value, 'missing_key', 'imap.host is required');
    },
  }),
);

const byAddress = recordShape(mailAccount, settingBound('mail_accounts'));

const addressPattern = '^[^\\s@]+@[^\\s@]+$';

/** Mail accounts by address; two addresses that differ in case only are the same. */
export const mailAccounts = shape<Readonly<Record<string, JsonObject>>>(
  (value) => {
    const accounts = byAddress.read(value);
    checkAddresses(value);
    return accounts;
  },
  (book) => ({ ...byAddress.schema(book), propertyNames: { pattern: addressPattern } }),
);

function checkAddresses(value: YamlValue): void {
  if (getKind(value) !== 'map') return;
  const seen = new Set<string>();
  for (const { key, value: account } of getEntries(value)) {
    const address = key.toLowerCase();
    if (!new RegExp(addressPattern).test(key)) report(account, 'invalid_value', 'the key must be a mail address');
    else if (seen.has(address)) report(account, 'invalid_value', 'the address is given twice');
    seen.add(address);
  }
}
