import { doubtfulInput, invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { findCommonMistake } from './common-mistakes';

const uniqueId = /^\d{10,30}$/;
const accountEmail = /^[a-z0-9][a-z0-9.-]{0,99}@(?:[a-z0-9-]{1,63}\.){0,9}gserviceaccount\.com$/;
const anyEmail = /^[^\s@"'<>()[\]\\,;:]{1,64}@(?:[a-z0-9-]{1,63}\.){1,9}[a-z0-9-]{2,63}$/i;
/** Safe in an address: the credentials file has one with the account. */
const otherAccount = /^[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,9}[a-z0-9-]{2,63}$/i;
const projectAccount = /^[^@]+@(?<project>[a-z0-9-]+)(?:\.(?<domain>[a-z0-9.-]+))?\.iam\.gserviceaccount\.com$/;
const projectForm = /^(?:[a-z0-9][a-z0-9.-]{0,199}:)?[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Email or unique id of a service account. Removes the prefixes of resource names and IAM policies. Another email, and
 * upper case, are doubtful.
 */
export function parseAccount(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  const account = text.replace(/^(?:projects\/[^/]+\/serviceAccounts\/|serviceAccount:)/, '');
  if (uniqueId.test(account) || accountEmail.test(account)) return validInput(account);
  const lower = account.toLowerCase();
  if (accountEmail.test(lower)) return inLowerCase(text, lower);
  if (otherAccount.test(account)) {
    return doubtfulInput(
      account,
      `is ${quoteInput(text)}, which is not the email of a service account: those end with gserviceaccount.com. Google Cloud has no tokens for other accounts.`,
    );
  }
  const sentence =
    'which is neither an email nor a unique id. Use the full email: <name>@<project>.iam.gserviceaccount.com.';
  return invalidInput('account_invalid', `is ${quoteInput(text)}, ${sentence}`);
}

export function parseUserEmail(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (anyEmail.test(text)) return validInput(text);
  return invalidInput('email_invalid', `is ${quoteInput(text)}, which is not an email. Use the form user@example.com.`);
}

export function parseProjectId(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (projectForm.test(text)) return validInput(text);
  const lower = text.toLowerCase();
  if (projectForm.test(lower)) return inLowerCase(text, lower);
  return invalidInput(
    'project_invalid',
    `is ${quoteInput(text)}, which is not a project id. Use lower-case letters, digits and hyphens (example.com:project for a domain-scoped project), not the display name.`,
  );
}

/** Google Cloud has neither projects nor service accounts with upper-case letters. */
function inLowerCase(text: string, lower: string): ParsedInput<string> {
  return doubtfulInput(lower, `is ${quoteInput(text)}, with upper-case letters; ${lower} is used.`);
}

/**
 * The project in the email of an account. Accounts that Google Cloud creates for its own services do not name a project
 * of the user: `…@developer.…`, `…@appspot.…`, `service-…@gcp-sa-….iam.…`, and in other universes
 * `….<prefix>-system.iam.…`.
 */
export function parseAccountProject(account: string): string | undefined {
  const { project, domain } = projectAccount.exec(account)?.groups ?? {};
  if (project === undefined || project.startsWith('gcp-sa-') || domain?.endsWith('-system') === true) return undefined;
  return domain === undefined ? project : `${domain}:${project}`;
}
