import type { DeclaredOutput, StepOutput } from '../../model/outputs';
import type { Step } from '../../model/step';
import type { Part } from '../../model/compact';
import { limits } from '../../model/limits';
import { inlineJsonSchema } from '../../values/inline-schema/inline-json-schema';
import { inputFiles } from '../../values/outputs/input-files';
import { declaredOutputs, isBuildFile, type AuthoredOutput } from '../../values/outputs/declared-outputs';
import { output } from '../../values/outputs/output';
import { stderr, stdout } from '../../values/outputs/stream-copy';
import { quote } from '../../source/text/quote';
import { keySpec } from '../../shapes/object-kind';
import type { Field, Fields } from '../../shapes/read-object';
import { filePattern } from '../../values/outputs/file-pattern';
import { oneOrMany } from '../../shapes/shapes';
import { logOutput } from '../../values/outputs/log-output';
import type { YamlValue } from '../../source/yaml/yaml-value';

const files = { limit: limits.stepFiles, code: 'invalid_value', what: 'dependencies' } as const;

export const outputKeys = {
  stdout: keySpec('A copy of the standard output: a path, or a map with artifact or outputs', stdout),
  stderr: keySpec('A copy of the standard error: a path, or a map with artifact', stderr),
  log_output: keySpec('separate: a log for each stream; merged: one for both', logOutput),
  output: keySpec('A variable that captures the standard output, or a map from name to value or source', output),
  output_schema: keySpec('JSON Schema of the outputs, validated before they are published', inlineJsonSchema),
  inputs: keySpec('The files that the step reads, each with name and path; only in a DAG of type build', inputFiles),
  outputs: keySpec('The outputs that the step writes, each with name and type, or path in a build', declaredOutputs),
  dependencies: keySpec(
    'Files, folders and patterns that are copied into the work folder of the run',
    oneOrMany(filePattern, files),
  ),
} as const;

type OutputFields = Fields<typeof outputKeys> & { readonly id?: Field<string> };

export function readOutputSettings(fields: OutputFields, { context }: YamlValue): Part<Step> {
  const { outputs, output: own, stdout: out, id } = fields;
  const targets = outputs?.value?.filter(isBuildFile);
  const values = outputs?.value?.filter(isValue);
  if (outputs && !id && values?.length !== 0)
    context.report.add('missing_key', outputs.keyLocation, 'a step with outputs must define id');
  if (own && out?.value?.output) {
    context.report.add('conflicting_keys', own.keyLocation, 'output cannot be used together with stdout.outputs');
  }
  reportDuplicateOutputs(fields);
  return {
    stdout: out?.value?.copy,
    stderr: fields.stderr?.value?.copy,
    logOutput: fields.log_output?.value,
    output: own?.value ?? out?.value?.output,
    outputSchema: fields.output_schema?.value,
    inputs: fields.inputs?.value,
    outputs: values?.length === 0 ? undefined : values,
    targets: targets?.length === 0 ? undefined : targets,
    dependencies: fields.dependencies?.value,
  };
}

function isValue(output: AuthoredOutput): output is DeclaredOutput {
  return !isBuildFile(output);
}

function reportDuplicateOutputs({ outputs, output: own }: OutputFields): void {
  const names = new Set(listOutputNames(own?.value));
  for (const { name } of outputs?.value ?? []) {
    const message = `duplicate output ${quote(name)}: declared in both output and outputs`;
    if (outputs && names.has(name)) outputs.source.context.report.add('duplicate_name', outputs.keyLocation, message);
  }
}

function listOutputNames(output: StepOutput | undefined): readonly string[] {
  return output?.kind === 'fields' ? output.fields.map(({ name }) => name) : [];
}
