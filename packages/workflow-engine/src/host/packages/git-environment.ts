/** Other repositories, other programs and traces with credentials: nothing that a repository is worked on with. */
const refused =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|EXEC_PATH|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|PROXY_COMMAND|TRACE\w*|ASKPASS)$/;

/** Protocols that a URL may have; others start programs, or are neither encrypted nor authenticated. */
const protocols = 'file:http:https:ssh';

/** The environment of git in a step: it never asks anybody, and its messages are those of the C locale. */
export function gitEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !refused.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    LC_ALL: 'C.UTF-8',
  };
}
