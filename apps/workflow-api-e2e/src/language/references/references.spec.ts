import { describeFixtures } from '../../support/fixtures';

describeFixtures('references', __dirname);
