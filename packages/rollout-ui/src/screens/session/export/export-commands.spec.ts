import { exportCommand } from './export-commands';

const choices = { discount: 0.9, rule: 'mean', style: 'concat', drop: true } as const;

it('a command quotes its values', () => {
  expect(exportCommand('http://h', "it's", choices)).toContain(String.raw`"session_id":"it'\''s"`);
  expect(exportCommand('http://h', 'a', choices)).toContain(
    '{"session_id":"a","discount":0.9,"rule":"mean","style":"concat","drop_retry_orphans":true}',
  );
});
