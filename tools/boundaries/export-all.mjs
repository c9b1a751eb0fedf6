// A rule for the linter, which has none of its own: exports are listed by name.
const exportAll = {
  create: (context) => ({
    ExportAllDeclaration: (node) => context.report({ node, message: 'List exports by name.' }),
  }),
};

export default { meta: { name: 'weir' }, rules: { 'export-all': exportAll } };
