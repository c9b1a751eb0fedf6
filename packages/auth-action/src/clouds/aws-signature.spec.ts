import { signRequest } from './aws-signature';

describe('signRequest', () => {
  it('signs as the published example of AWS for a POST of a form', () => {
    const { Authorization: authorization, 'X-Amz-Date': time } = signRequest(
      {
        url: new URL('https://example.amazonaws.com/'),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'Param1=value1',
      },
      {
        keys: {
          accessKeyId: 'AKIDEXAMPLE',
          secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
          sessionToken: undefined,
        },
        region: 'us-east-1',
        service: 'service',
        now: Date.UTC(2015, 7, 30, 12, 36, 0),
      },
    );

    expect(time).toBe('20150830T123600Z');
    // `post-x-www-form-urlencoded` of the test suite for Signature Version 4.
    expect(authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    );
  });
});
