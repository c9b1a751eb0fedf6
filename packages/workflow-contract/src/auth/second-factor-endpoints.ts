import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import {
  BeginSecondFactorRequest,
  ConfirmSecondFactorRequest,
  DisableSecondFactorRequest,
  RecoveryCodes,
  SecondFactor,
  SecondFactorSetup,
} from './second-factor-schemas';

const tag = 'auth';
const path = '/auth/second-factor';
const access = 'authenticated';

const invalid = { description: 'The request is not valid.', reasons: ['request_invalid'] } as const;
const noPassword = {
  description: 'The caller has no password: an API key, or a user of another provider.',
  reasons: ['no_password'],
} as const;
const tooMany = { description: 'Too many wrong passwords or codes.', reasons: ['too_many_attempts'] } as const;

export const getSecondFactor = endpoint({
  method: 'GET',
  path,
  operationId: 'getSecondFactor',
  tag,
  summary: 'Get whether the current user has a second factor',
  description: 'An API key has none.',
  access,
  success: { status: 200, description: 'The second factor.', schema: SecondFactor },
  errors: { 401: errorAnswers.unauthenticated },
});

export const beginSecondFactor = endpoint({
  method: 'POST',
  path,
  operationId: 'beginSecondFactor',
  audit: { category: 'auth', action: 'second_factor_begin', recordsFailures: true },
  tag,
  summary: 'Begin to set up a second factor',
  description: 'Sign-in stays as it is until a code confirms that the authenticator is set up.',
  access,
  body: BeginSecondFactorRequest,
  success: { status: 200, description: 'What the authenticator needs, once.', schema: SecondFactorSetup },
  errors: {
    400: invalid,
    401: {
      description: 'The credential is not valid, or the current password is wrong.',
      reasons: ['credential_invalid', 'current_password_wrong'],
    },
    403: noPassword,
    409: { description: 'The user has a second factor.', reasons: ['second_factor_enabled'] },
    429: tooMany,
  },
});

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: `${path}/confirm`,
  operationId: 'confirmSecondFactor',
  audit: { category: 'auth', action: 'second_factor_enable', recordsFailures: true },
  tag,
  summary: 'Enable the second factor that was begun',
  description: 'From then on a sign-in with the password needs a code.',
  access,
  body: ConfirmSecondFactorRequest,
  success: { status: 200, description: 'The recovery codes, once.', schema: RecoveryCodes },
  errors: {
    400: invalid,
    401: {
      description: 'The credential is not valid, or the code is wrong.',
      reasons: ['credential_invalid', 'code_wrong'],
    },
    403: noPassword,
    409: {
      description: 'No set-up was begun, or the user has a second factor.',
      reasons: ['second_factor_not_begun', 'second_factor_enabled'],
    },
    429: tooMany,
  },
});

export const disableSecondFactor = endpoint({
  method: 'POST',
  path: `${path}/disable`,
  operationId: 'disableSecondFactor',
  audit: { category: 'auth', action: 'second_factor_disable', recordsFailures: true },
  tag,
  summary: 'Remove the second factor of the current user',
  access,
  body: DisableSecondFactorRequest,
  success: { status: 204, description: 'A sign-in needs the password only.' },
  errors: {
    400: invalid,
    401: {
      description: 'The credential is not valid, or the password or the code is wrong.',
      reasons: ['credential_invalid', 'current_password_wrong', 'code_wrong'],
    },
    403: noPassword,
    404: { description: 'The user has no second factor.', reasons: ['second_factor_not_found'] },
    429: tooMany,
  },
});

export const deleteUserSecondFactor = endpoint({
  method: 'DELETE',
  path: '/users/{userId}/second-factor',
  operationId: 'deleteUserSecondFactor',
  audit: { category: 'user', action: 'second_factor_remove' },
  tag: 'users',
  summary: 'Remove the second factor of a user',
  description: 'For one who has lost the authenticator and the recovery codes. The password stays.',
  access: ['admin'],
  params: z.object({ userId: z.string().min(1).max(64).describe('Id of the user.') }),
  success: { status: 204, description: 'A sign-in of the user needs the password only.' },
  errors: {
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    404: {
      description: 'There is no such user, or it has no second factor.',
      reasons: ['user_not_found', 'second_factor_not_found'],
    },
  },
});
