import { z } from 'zod';
import { RoleGrant } from '../../access/access-of-groups';
import type { OutputEvaluator } from '../../output-thread';
import { roleExpressionFailed } from './external-sign-in-errors';

type Claims = Readonly<Record<string, unknown>>;

/** Limits waiting and evaluating together; the evaluator has a shorter limit of its own for evaluating. */
const deadlineMs = 30_000;
const maxBytes = 65_536;
const Grants = z.array(RoleGrant).max(1000);

/**
 * Returns the roles that a jq expression gives for claims: texts such as `operator` or `operator@shop`, or lists of
 * them; `null` gives none. Rejects with `role_expression_failed` for anything else, and where the expression fails or
 * takes too long or too much memory.
 */
export async function evaluateRoles(
  expression: string,
  claims: Claims,
  evaluator: OutputEvaluator,
): Promise<readonly RoleGrant[]> {
  // Collects all results in one value; the line break ends a comment at the end of the expression.
  const source = { kind: 'stdout', decode: 'json', select: `[${expression}\n]` } as const;
  const result = await evaluator.evaluate(
    { fields: [{ name: 'roles', source }], stdout: JSON.stringify(claims), files: [], maxBytes },
    AbortSignal.timeout(deadlineMs),
  );
  if ('problem' in result) throw roleExpressionFailed(result.problem);
  const results = [result.fields[0]?.value].flat(2);
  const grants = Grants.safeParse(results.filter((value) => value !== null));
  if (!grants.success) throw roleExpressionFailed('it gives something that is no role');
  return grants.data;
}
