import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseClaims } from './claims';
import { claimsJsonSchema, documentedClaims } from './claims-docs';

const committed: unknown = JSON.parse(readFileSync(path.join(__dirname, '../claims.schema.json'), 'utf8'));
const byJsonSchema = z.fromJSONSchema(committed as Parameters<typeof z.fromJSONSchema>[0]);

const documentedToken = {
  ...Object.fromEntries([...documentedClaims()].map(([claim, { example }]) => [claim, example])),
  'repo_property_*': undefined,
  repo_property_team: 'platform',
  repo_property_regions: 'eu-west-1,us-east-1',
};
const payload: unknown = JSON.parse(JSON.stringify(documentedToken));
const withClaim = (claim: string, value: unknown): unknown => ({ ...(payload as object), [claim]: value });

describe('claims.schema.json', () => {
  it('is what the claims give', () => {
    expect(committed).toEqual(JSON.parse(JSON.stringify(claimsJsonSchema())));
  });

  it('accepts a token with every documented claim, as parseClaims does, and both leave it unchanged', () => {
    expect(byJsonSchema.parse(payload)).toEqual(payload);
    expect(parseClaims(payload)).toEqual(payload);
  });

  it.each([
    ['several audiences', 'aud', ['a', 'b']],
    ['a claim that is not documented', 'team', { id: 7 }],
  ])('accepts %s, as parseClaims does', (_case, claim, value) => {
    expect(byJsonSchema.safeParse(withClaim(claim, value)).success).toBe(true);
    expect(parseClaims(withClaim(claim, value))).toHaveProperty([claim], value);
  });

  it.each([...documentedClaims().keys()].filter((claim) => !claim.endsWith('*')))(
    'refuses values of %s that parseClaims refuses',
    (claim) => {
      const values = [undefined, null, true, -1, 12, '', '12a', [], ['a', 1], {}].map((value) =>
        withClaim(claim, value),
      );
      const tokens = values.map((token): unknown => JSON.parse(JSON.stringify(token)));
      const isParsed = (token: unknown): boolean => {
        try {
          parseClaims(token);
          return true;
        } catch {
          return false;
        }
      };
      expect(tokens.filter((token) => byJsonSchema.safeParse(token).success && !isParsed(token))).toEqual([]);
    },
  );

  it.each(['check_run_id', 'environment_node_id', 'enterprise', 'enterprise_id', 'repo_property_team'])(
    'names %s as text, which parseClaims leaves unchanged whatever it is',
    (claim) => {
      expect(byJsonSchema.safeParse(withClaim(claim, 12)).success).toBe(false);
      expect(parseClaims(withClaim(claim, 12))).toHaveProperty([claim], 12);
    },
  );
});

/** `WEIR_UPDATE_DOCS=1` rewrites the tables instead of comparing them. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs, no setting of the package
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

describe('docs/auth-action/claims.md', () => {
  const page = path.join(__dirname, '../../../docs/auth-action/claims.md');
  const marked = /(<!-- claims:begin (.*?) -->\n).*?(<!-- claims:end -->)/gs;
  const text = readFileSync(page, 'utf8');

  it('lists every documented claim once', () => {
    const listed = [...text.matchAll(marked)].flatMap(([, , names = '']) => names.split(' '));
    expect(listed.toSorted()).toEqual([...documentedClaims().keys()].toSorted());
  });

  it('has tables with the facts of the claims', () => {
    const updated = text.replace(marked, (_, begin: string, names: string, end: string) =>
      [begin, claimsTable(names.split(' ')), '\n', end].join('\n'),
    );
    if (isUpdate) writeFileSync(page, updated);
    expect(withoutPadding(isUpdate ? updated : text)).toEqual(withoutPadding(updated));
  });
});

function claimsTable(names: readonly string[]): string {
  const facts = documentedClaims();
  const rows = names.map((name) => {
    const claim = facts.get(name);
    if (claim === undefined) throw new Error(`There is no claim ${name}.`);
    const example = claim.example === '' ? '' : ` Example: \`${claim.example}\`.`;
    const presence = claim.presence === 'always' ? '' : ` Present: ${claim.presence}.`;
    const words = `${claim.title}. ${claim.description}${presence}${example}`;
    return [`\`${name}\``, words, claim.afterMove, claim.condition];
  });
  const heads = ['Claim', 'What it is', 'After a rename or transfer', 'In a condition?'];
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

// Prettier pads the cells.
function withoutPadding(text: string): string {
  return text
    .replaceAll(/ *\| */g, '|')
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(/\n+/g, '\n');
}
