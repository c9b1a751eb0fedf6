const nobody = 65_534;

/** Root may do everything, so permissions are tested as another user. */
export async function withoutPrivileges<T>(act: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(nobody);
  try {
    return await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
