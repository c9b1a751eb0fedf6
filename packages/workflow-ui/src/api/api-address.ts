import { baseAddress } from '@weir/ui-kit/app';

/** The address of the API. */
export const apiAddress = new URL('api/v1', baseAddress).href;
