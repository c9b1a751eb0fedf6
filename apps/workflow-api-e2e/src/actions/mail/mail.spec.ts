import { describeFixtures } from '../../support/fixtures';

describeFixtures('mail', __dirname);
