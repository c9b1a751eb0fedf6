import { z } from 'zod';
import { claimFacts, DocumentedClaims, PropertyClaim, propertyPrefix, type ClaimFacts } from './claims-schema';

export type { ClaimFacts } from './claims-schema';

/** The facts of every documented claim by its name; custom properties are under `repo_property_*`. */
export function documentedClaims(): ReadonlyMap<string, ClaimFacts> {
  const named = Object.entries(DocumentedClaims.shape).map(([claim, schema]) => [claim, factsOf(schema)] as const);
  return new Map([...named, [`${propertyPrefix}*`, factsOf(PropertyClaim)]]);
}

/**
 * The JSON Schema (draft 2020-12) of the payload of an OIDC token of GitHub Actions. It refuses what `parseClaims`
 * refuses, and documented claims in a form that the platform never sends.
 */
export function claimsJsonSchema(): object {
  const { $schema, ...claims } = toJsonSchema(DocumentedClaims);
  const { $schema: _, ...property } = toJsonSchema(PropertyClaim);
  return {
    $schema,
    title: 'Claims of a GitHub Actions OIDC token',
    ...claims,
    patternProperties: { [`^${propertyPrefix}`]: property },
  };
}

function toJsonSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, {
    override: ({ zodSchema, jsonSchema }) => {
      // Whether a list can be changed in TypeScript says nothing about a token.
      delete jsonSchema.readOnly;
      const facts = claimFacts.get(zodSchema);
      if (facts === undefined) return;
      jsonSchema.title = facts.title;
      jsonSchema.description = describe(facts);
      jsonSchema.examples = [facts.example];
    },
  });
}

function describe({ description, presence, afterMove, condition }: ClaimFacts): string {
  return `${description} Present: ${presence}. After a rename or transfer of the repository: ${afterMove}. In a condition: ${condition}`;
}

function factsOf(schema: z.core.$ZodType): ClaimFacts {
  const facts = claimFacts.get(schema as z.ZodType);
  if (facts === undefined) throw new Error('A claim has no facts.');
  return facts;
}
