import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@weir/foundation';
import { assertOpenIn, type FolderAccess } from '../namespaces/closed-folders';
import { enterNamespace } from './enter-namespace';
import type { Spawner } from '../spawner/spawner';
import type { IsolationTools } from '../namespaces/isolation-tools';
import { openNamespace, type Namespace } from '../namespaces/namespace';
import { realPath } from '../files/real-path';
import type { EnclosedRun, Enclosure, ProcessStart, StepIsolation } from '../../model/ports/step-isolation';

export interface NamespaceIsolationOptions {
  readonly tools: IsolationTools;
  /** Folders of the server that steps cannot see, apart from what belongs to their run. */
  readonly closed: readonly string[];
  /** Folders that every step sees, wherever they are. */
  readonly open: readonly string[];
  /** Each run gets a folder of its own in it. */
  readonly scriptsFolder: string;
  /** Makes the namespaces. Default: this process does. */
  readonly spawner?: Pick<Spawner, 'openNamespace'> | undefined;
}

/** Encloses each run in namespaces of its own, which its processes enter as they start. */
export function createNamespaceIsolation(options: NamespaceIsolationOptions): StepIsolation {
  return { enclose: (run) => new NamespaceEnclosure(run, options) };
}

class NamespaceEnclosure implements Enclosure {
  readonly scriptsFolder: string;
  readonly #options: NamespaceIsolationOptions;
  readonly #folders: readonly string[];
  #opening: Promise<Namespace> | undefined;
  /** Known once the folders exist. */
  #access: FolderAccess | undefined;

  constructor({ id, folders }: EnclosedRun, options: NamespaceIsolationOptions) {
    this.scriptsFolder = join(options.scriptsFolder, id);
    this.#options = options;
    this.#folders = folders;
  }

  async enter(start: ProcessStart): Promise<ProcessStart> {
    this.assertOpen(start.cwd);
    return enterNamespace(this.#options.tools, await this.#open(), start);
  }

  assertOpen(path: string, options?: { readonly isTree?: boolean }): void {
    assertOpenIn(path, this.#access ?? this.#readAccess(), options);
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    // One that failed was reported to the step.
    (await opening?.catch(() => undefined))?.close();
    await rm(this.scriptsFolder, { recursive: true, force: true });
  }

  #open(): Promise<Namespace> {
    this.#opening ??= this.#make().catch((error: unknown) => {
      // The next attempt of the step may find what was missing.
      this.#opening = undefined;
      throw isolationFailed(error);
    });
    return this.#opening;
  }

  async #make(): Promise<Namespace> {
    for (const folder of [...this.#folders, this.scriptsFolder]) await mkdir(folder, { recursive: true, mode: 0o700 });
    this.#access = this.#readAccess();
    const { tools, spawner } = this.#options;
    const order = { tools, access: this.#access };
    return spawner?.openNamespace(order) ?? openNamespace(tools, order.access);
  }

  #readAccess(): FolderAccess {
    const { closed, open } = this.#options;
    return {
      closed: closed.map((folder) => realPath(folder)),
      open: [...open, ...this.#folders, this.scriptsFolder].map((folder) => realPath(folder)),
    };
  }
}

function isolationFailed(cause: unknown): AppError {
  return new AppError('unavailable', 'The step cannot be isolated from the server, so it was not started.', {
    reason: 'isolation_failed',
    cause,
  });
}
