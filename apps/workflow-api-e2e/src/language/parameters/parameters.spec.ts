import { describeFixtures } from '../../support/fixtures';

describeFixtures('parameters', __dirname);
