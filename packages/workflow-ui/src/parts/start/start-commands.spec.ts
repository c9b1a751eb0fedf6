import { toCommands } from './start-commands';

const api = 'https://weir.example/api/v1';

it('returns the terminal commands that start the same run', () => {
  const body = { params: '{"DAY":"2026-05-01"}', dagRunId: 'run-7' };

  expect(toCommands(api, { fileName: 'load', body })).toEqual({
    curl: [
      'curl -X POST https://weir.example/api/v1/dags/load/start',
      '-H "Authorization: Bearer $WEIR_TOKEN"',
      `-H 'Content-Type: application/json'`,
      `-d '{"params":"{\\"DAY\\":\\"2026-05-01\\"}","dagRunId":"run-7"}'`,
    ].join(' \\\n  '),
    cli: `weir enqueue load --params '{"DAY":"2026-05-01"}' --run-id run-7`,
  });
});

it('quotes values so that the shell executes nothing of them', () => {
  const body = { params: `{"NOTE":"it's $(reboot)"}` };

  expect(toCommands(api, { fileName: 'load', body }).cli).toBe(
    String.raw`weir enqueue load --params '{"NOTE":"it'\''s $(reboot)"}'`,
  );
});
