import { AppError } from './app-error';

// @ts-expect-error a code outside the closed list does not compile
new AppError('teapot', 'x');

// @ts-expect-error details are an object
new AppError('internal', 'x', { details: 'x' });
