/**
 * Variables that change what code a program loads, or where it writes: those that the system's loader ignores in
 * programs with privileges.
 */
const loaderVariables =
  /^(?:LD_.*|MALLOC_.*|GLIBC_TUNABLES|GCONV_PATH|GETCONF_DIR|LOCPATH|NLSPATH|NIS_PATH|TZDIR|RESOLV_HOST_CONF|RES_OPTIONS|HOSTALIASES|LOCALDOMAIN)$/;

type Environment = Readonly<Record<string, string>>;

/** @returns `rest` is safe for a program that still has the rights of the server. */
export function splitLoaderVariables(env: Environment): {
  readonly loader: readonly string[];
  readonly rest: Environment;
} {
  const entries = Object.entries(env);
  return {
    loader: entries.filter(([name]) => loaderVariables.test(name)).map(([name, value]) => `${name}=${value}`),
    rest: Object.fromEntries(entries.filter(([name]) => !loaderVariables.test(name))),
  };
}
