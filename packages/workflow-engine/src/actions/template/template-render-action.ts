import { actionPath } from '../action-paths';
import { defineExecutor } from '../define-executor';
import { namingSetting } from '../files/file-errors';
import { writeWhole } from '../files/write-whole';
import { renderTemplate } from './render-template';

/** Fills in a template and prints it, or writes it to a file. */
export const templateRender = defineExecutor(async ({ call, settings, log }) => {
  const template = settings.text('template') ?? settings.required('template_ref');
  const text = renderTemplate(template, settings.value('data') ?? {}, call.maxOutputBytes);
  const output = settings.text('output');
  if (output === undefined) log.out(text);
  else {
    const options = { isOverwriting: true, isAtomic: true, mode: undefined };
    await namingSetting('output', () => writeWhole(actionPath(call, output), text, options));
  }
  return undefined;
});
