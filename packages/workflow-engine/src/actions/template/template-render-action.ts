import { actionPath } from '../../host/files/action-paths';
import type { ActionExecutor } from '../call/action-executor';
import { namingSetting } from '../../host/files/file-errors';
import { writeWhole } from '../files/write-whole';
import { renderTemplate } from './render-template';

/** Renders a template and prints it, or writes it to a file. */
export const templateRender: ActionExecutor<'template.render'> = async ({ call, settings, log }) => {
  const { template, template_ref: reference = '', data = {}, output } = settings;
  const text = renderTemplate(template ?? reference, data, call.maxOutputBytes);
  if (output === undefined) log.out(text);
  else {
    const options = { isOverwriting: true, isAtomic: true, mode: undefined };
    await namingSetting('output', () => writeWhole(actionPath(call, output), text, options));
  }
  return undefined;
};
