import type { Command } from 'commander';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';

interface VerifyFlags {
  readonly file?: string;
  readonly expect?: string;
}

/** Adds the commands about the audit log. */
export function addAuditCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const audit = program.command('audit').description('verify and export the audit log');
  audit
    .command('verify')
    .description('compute the hashes of the audit log again and compare them')
    .option('--file <path>', 'an export to verify, instead of the log of the server')
    .option('--expect <position:hash>', 'what an earlier verification has printed, which must still be in the log')
    .action(async (flags: VerifyFlags) => {
      const { verifyAudit } = await import('../../bundles/audit.js');
      exit(await verifyAudit({ ...(await createStoreCommand(host, {})), ...flags }));
    });
  audit
    .command('export')
    .description('print the audit log as JSON Lines, oldest first')
    .option('--after <position>', 'only entries after this position')
    .action(async ({ after = '0' }: { readonly after?: string }) => {
      const { exportAudit } = await import('../../bundles/audit.js');
      exit(await exportAudit({ ...(await createStoreCommand(host, {})), after }));
    });
}
