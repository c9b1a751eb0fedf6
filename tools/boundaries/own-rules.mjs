// Rules for the linter, which has none of its own for them.

const exportAll = {
  create: (context) => ({
    ExportAllDeclaration: (node) => context.report({ node, message: 'List exports by name.' }),
  }),
};

/** Spreading an object that is written right there only hides that a line has several properties. */
const objectSpread = {
  create: (context) => ({
    SpreadElement: (node) => {
      if (node.argument.type !== 'ObjectExpression' || node.parent.type !== 'ObjectExpression') return;
      context.report({ node, message: 'Write the properties themselves.' });
    },
  }),
};

export default { meta: { name: 'weir' }, rules: { 'export-all': exportAll, 'object-spread': objectSpread } };
