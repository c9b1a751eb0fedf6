import { describeFixtures } from '../../support/fixtures';

describeFixtures('actions', __dirname);
