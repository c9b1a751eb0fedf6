interface LoadedModule {
  /** Missing for an ES module. */
  children?: LoadedModule[] | undefined;
}

/** Removes modules that hold nothing but data that was used once. Loading one of them again reads its file again. */
export function forgetModules(
  cache: Record<string, LoadedModule | undefined>,
  isForgotten: (file: string) => boolean,
): void {
  const forgotten = new Set<LoadedModule | undefined>();
  for (const file of Object.keys(cache).filter(isForgotten)) {
    forgotten.add(cache[file]);
    Reflect.deleteProperty(cache, file);
  }
  for (const loaded of Object.values(cache)) {
    const children = loaded?.children?.filter((child) => !forgotten.has(child));
    if (loaded !== undefined && children !== undefined) loaded.children = children;
  }
}
