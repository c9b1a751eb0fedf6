import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';

const docs = path.resolve(import.meta.dirname, '..');

const tables = JSON.parse(readFileSync(path.join(docs, '.vitepress/tables.json'), 'utf8')) as Record<string, string>;

/** A page with the tables that stand in the code; see `tools/docs`. */
const withTables = (page: string): string =>
  page.replaceAll(/^<!-- (?:table|keys|actions|settings): .*? -->$/gm, (mark) => {
    const table = tables[mark];
    if (table === undefined) throw new Error(`There is no table for ${mark}.`);
    return table;
  });

const readTitle = (page: string): string =>
  /^# (.+)$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? path.basename(page, '.md');

/** All pages of a folder, in the order of their file names. */
function pagesIn(folder: string, isListed = (_file: string): boolean => true): DefaultTheme.SidebarItem[] {
  return readdirSync(path.join(docs, folder))
    .filter((file) => file.endsWith('.md') && file !== 'README.md' && isListed(file))
    .sort()
    .map((file) => ({ text: readTitle(path.join(docs, folder, file)), link: `/${folder}/${file.slice(0, -3)}` }));
}

/** The folders of specifications with their pages, in the reading order of their index. */
function specifications(): DefaultTheme.SidebarItem[] {
  const index = readFileSync(path.join(docs, 'specs/README.md'), 'utf8');
  return index
    .split('\n## ')
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      collapsed: true,
      items: [...section.matchAll(/^- \[(.+)\]\((.+)\.md\)/gm)].map(([, text = '', page = '']) => ({
        text,
        link: `/specs/${page}`,
      })),
    }));
}

const users: DefaultTheme.SidebarItem[] = [
  {
    text: 'Tutorials',
    items: [
      { text: 'Run your first workflow', link: '/guide/first-workflow' },
      { text: 'Schedule a report', link: '/guide/scheduled-report' },
      { text: 'Tour of the web interface', link: '/guide/web-interface' },
      { text: 'Record your first episode', link: '/guide/first-episode' },
      { text: 'A workflow that signs in', link: '/auth-action/first-sign-in' },
      { text: 'Run episodes for a trainer', link: '/guide/first-training-loop' },
    ],
  },
  { text: 'How-to guides', items: pagesIn('how-to') },
  { text: 'Explanations', items: pagesIn('explanation') },
  {
    text: 'Reference',
    items: [
      { text: 'DAG language', link: '/language' },
      { text: 'Compatibility with Dagu', link: '/compatibility' },
      { text: 'Findings', link: '/findings' },
      { text: 'Command line', link: '/specs/service/command-line' },
      ...pagesIn('reference'),
    ],
  },
  { text: 'Auth action', items: pagesIn('auth-action', (file) => file !== 'first-sign-in.md') },
  { text: 'Runbooks', items: pagesIn('runbooks') },
];

const contributors: DefaultTheme.SidebarItem[] = [
  { text: 'Architecture', link: '/architecture' },
  { text: 'Glossary', link: '/glossary' },
  { text: 'Decision records', link: '/adr/', items: pagesIn('adr'), collapsed: true },
];

const proofs: DefaultTheme.SidebarItem[] = [{ text: 'All specifications', link: '/specs/' }, ...specifications()];

export default defineConfig({
  title: 'Weir',
  description:
    'A workflow server, a rollout proxy for language-model agents, and a GitHub Action for cloud credentials.',
  rewrites: { ':folder/README.md': ':folder/index.md' },
  cleanUrls: true,
  vite: { configFile: false, cacheDir: path.join(docs, '.vitepress/cache') },
  markdown: {
    // `${{ … }}` and `{{ … }}` are syntax of DAGs and workflows, not of Vue.
    config: (md) => {
      md.core.ruler.before('normalize', 'tables', (state) => {
        state.src = withTables(state.src);
      });
      const render = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (tokens, index, options, env, self) => {
        tokens[index]?.attrSet('v-pre', '');
        return render?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
      };
    },
  },
  ignoreDeadLinks: [/^http:\/\/(localhost|127\.0\.0\.1)/],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Use', link: '/guide/first-workflow' },
      { text: 'Contribute', link: '/architecture' },
      { text: 'Specifications', link: '/specs/' },
    ],
    sidebar: {
      '/specs/': proofs,
      '/architecture': contributors,
      '/glossary': contributors,
      '/adr/': contributors,
      '/': users,
    },
  },
});
