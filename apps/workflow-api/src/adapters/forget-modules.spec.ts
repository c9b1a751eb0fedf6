import { forgetModules } from './forget-modules';

describe('forgetModules', () => {
  it('leaves no reference to a forgotten module, and keeps the others', () => {
    const data = { children: [] };
    const other = { children: [] };
    const program = { children: [data, other] };
    const cache = { 'program.js': program, 'module.mjs': {}, 'compiler.wasm-base64.js': data, 'other.js': other };
    forgetModules(cache, (file) => file.endsWith('.wasm-base64.js'));

    expect(Object.keys(cache)).toEqual(['program.js', 'module.mjs', 'other.js']);
    expect(program.children).toEqual([other]);
  });
});
