import { baseAddress } from '@weir/ui-app';

export { baseAddress, basePath } from '@weir/ui-app';

/** The address of the API. */
export const apiAddress = new URL('api/v1', baseAddress).href;
