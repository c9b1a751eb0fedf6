import { conditionLimits, matchClaims, parseConditions } from './match-claims';

const failure = (facts: object): Error => expect.objectContaining(facts) as Error;

const claims = {
  iss: 'https://token.example.test',
  aud: ['weir', 'cloud'],
  repository: 'octo-org/octo-repo',
  ref: 'refs/heads/release/1',
  exp: 1_800_000_000,
  head_ref: '',
  team: { name: 'a' },
};

describe('matchClaims', () => {
  it('matches when every condition holds', () => {
    const conditions = { repository: 'octo-org/octo-repo', ref: 'refs/heads/release/*' };
    expect(matchClaims(conditions, claims)).toEqual({ matched: true, mismatches: [] });
  });

  it('lists each condition that does not hold, with the accepted and the actual values', () => {
    const conditions = { repository: ['octo-org/a', 'octo-org/b-*'], actor: 'octocat', team: '*', ref: '*' };
    expect(matchClaims(conditions, claims)).toEqual({
      matched: false,
      mismatches: [
        {
          claim: 'repository',
          reason: 'value_mismatch',
          accepted: ['octo-org/a', 'octo-org/b-*'],
          actual: ['octo-org/octo-repo'],
        },
        { claim: 'actor', reason: 'claim_missing', accepted: ['octocat'], actual: [] },
        { claim: 'team', reason: 'claim_not_comparable', accepted: ['*'], actual: [] },
      ],
    });
  });

  it('matches one of several accepted texts', () => {
    expect(matchClaims({ repository: ['x/y', 'octo-org/octo-repo'] }, claims).matched).toBe(true);
  });

  it('matches one element of a claim that is a list', () => {
    expect(matchClaims({ aud: 'cloud' }, claims).matched).toBe(true);
    expect(matchClaims({ aud: 'other' }, claims).matched).toBe(false);
  });

  it('compares a number by its digits', () => {
    expect(matchClaims({ exp: '1800000000' }, claims).matched).toBe(true);
  });

  it('does not treat an empty claim as a missing one', () => {
    expect(matchClaims({ head_ref: '*' }, claims).matched).toBe(true);
  });

  it('matches nothing without conditions or with an empty list', () => {
    expect(matchClaims({}, claims).matched).toBe(false);
    expect(matchClaims({ ref: [] }, claims).matched).toBe(false);
  });

  it('does not find claims on the prototype', () => {
    expect(matchClaims({ constructor: '*' }, claims).mismatches[0]?.reason).toBe('claim_missing');
  });
});

describe('parseConditions', () => {
  it('reads texts and lists of texts', () => {
    const conditions = { repository: 'a/b', ref: ['refs/heads/main', 'refs/tags/*'] };
    expect(parseConditions(conditions)).toEqual(conditions);
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['no conditions', {}],
    ['an empty text', { ref: '' }],
    ['an empty list', { ref: [] }],
    ['a list with an empty text', { ref: ['a', ''] }],
    ['a number', { run_id: 1 }],
    ['an empty claim name', { '': 'a' }],
    ['a text over the limit', { ref: 'a'.repeat(conditionLimits.textLength + 1) }],
    ['a list over the limit', { ref: Array.from({ length: conditionLimits.acceptedTexts + 1 }, () => 'a') }],
    ['too many conditions', Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`c${index}`, 'a']))],
  ])('refuses %s', (_case, value) => {
    expect(() => parseConditions(value)).toThrow(failure({ code: 'invalid_request', reason: 'conditions_invalid' }));
  });
});
