import { describeFixtures } from '../../support/fixtures';

describeFixtures('mail, logs and history', __dirname);
