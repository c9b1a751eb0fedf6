import { describeFixtures } from '../../support/fixtures';

describeFixtures('lifecycle steps', __dirname);
