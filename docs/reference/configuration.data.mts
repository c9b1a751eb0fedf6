import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createMarkdownRenderer, defineLoader } from 'vitepress';

const root = path.resolve(import.meta.dirname, '../..');

/** The table that each app generates into its README from its schema. */
const tableIn = (readme: string): string =>
  /<!-- variables:begin -->([\s\S]*?)<!-- variables:end -->/.exec(readFileSync(path.join(root, readme), 'utf8'))?.[1] ??
  '';

declare const data: { readonly workflowApi: string; readonly rolloutProxy: string };
export { data };

export default defineLoader({
  watch: ['../../apps/*/README.md'],
  async load() {
    const markdown = await createMarkdownRenderer(path.join(root, 'docs'));
    return {
      workflowApi: markdown.render(tableIn('apps/workflow-api/README.md')),
      rolloutProxy: markdown.render(tableIn('apps/rollout-proxy/README.md')),
    };
  },
});
