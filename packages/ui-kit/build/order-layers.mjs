// Styles of several chunks are joined in the order of the chunks, so that no file of them is sure to be the first.
const order = '@layer tokens,base,kit,screens;';

/** A plugin of Vite: the styles begin with the order of their layers. */
export function orderLayers() {
  return {
    name: 'order-layers',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${order}${file.source}`;
      }
    },
  };
}
