import { AppError } from '@weir/foundation';

export function docNotFound(id: string): AppError {
  return new AppError('not_found', `There is no document "${id}".`, { reason: 'doc_not_found' });
}

export function docExists(id: string): AppError {
  return new AppError('conflict', `A document or directory "${id}" exists already.`, { reason: 'doc_exists' });
}

export function docInsideItself(id: string): AppError {
  return new AppError('invalid_request', `A directory cannot become "${id}", which is inside it.`, {
    reason: 'doc_inside_itself',
  });
}

export function docTooLarge(maxBytes: number): AppError {
  return new AppError('invalid_request', `The content is larger than ${maxBytes} bytes.`, { reason: 'doc_too_large' });
}

export function docsTooMany(max: number): AppError {
  return new AppError('invalid_request', `There are more than ${max} documents, which cannot be listed at once.`, {
    reason: 'docs_too_many',
  });
}

export function docPathOfWorkspace(workspace: string): AppError {
  return new AppError(
    'invalid_request',
    `"${workspace}" is a workspace. Name it in the parameter "workspace", and leave it out of the path.`,
    { reason: 'doc_path_of_workspace' },
  );
}

export function docsFolderNotWritable(problem: string): AppError {
  return new AppError('unavailable', `The folder of documents cannot be written to: ${problem}.`, {
    reason: 'docs_folder_not_writable',
  });
}
