import { parseBaseConfig } from './document/parse-base-config';
import { editorHints, supportedKeys } from './editor-hints';
import { parseDag } from './document/parse-dag';

describe('supportedKeys', () => {
  it.each(supportedKeys.root)('offers a root key that the parser knows: $key', ({ key }) => {
    const codes = parseDag(`${key}: {}\n`).findings.map((finding) => finding.code);
    expect(codes).not.toContain('unknown_key');
    expect(codes).not.toContain('unsupported_key');
    expect(codes).not.toContain('deprecated_key');
  });

  it('describes every key and omits deprecated ones', () => {
    const keys = [...supportedKeys.root, ...supportedKeys.step];
    expect(keys.filter(({ description }) => description === '')).toEqual([]);
    expect(keys.map(({ key }) => key)).not.toEqual(expect.arrayContaining(['tags']));
    expect(supportedKeys.step.map(({ key }) => key)).toEqual(expect.arrayContaining(['run', 'depends', 'env']));
  });
});

describe('editorHints', () => {
  it('lists no inherited actions without a base configuration', () => {
    expect(editorHints()).toEqual({ inheritedCustomStepTypes: [] });
  });

  it('lists the actions of a base configuration', () => {
    const { base } = parseBaseConfig(`actions:
  notify:
    description: Tells the team
    input_schema: {type: object, required: [text]}
    template: {action: log.write, with: {message: "{{ .input.text }}"}}
  clean: {template: {run: ./clean}}
`);
    expect(editorHints(base).inheritedCustomStepTypes).toEqual([
      {
        name: 'notify',
        targetType: 'log.write',
        description: 'Tells the team',
        inputSchema: { type: 'object', required: ['text'] },
      },
      { name: 'clean', targetType: 'run', inputSchema: {} },
    ]);
  });
});
