import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { serverAnswers } from '../api/health';

const pauseMs = 2000;

type Parts<Name extends string, Props> = Readonly<Record<Name, ComponentType<Props>>>;

/**
 * Creates a part of a page whose code is loaded when it is first shown. While the server does not answer, the part
 * waits and the rest of the page stays. It fails for code that the server no longer has, because it is another
 * version.
 */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Parts<Name, Props>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loadOnceReachable(load))[name] }));
}

async function loadOnceReachable<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    while (!(await serverAnswers())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // Browsers remember that an address failed, as HTML specifies, so the retry takes another one. Their messages name it.
    const address = error instanceof Error ? /https?:\S+/.exec(error.message)?.[0] : undefined;
    if (address === undefined) throw error;
    return (await import(/* @vite-ignore */ `${address}?again`)) as Module;
  }
}
