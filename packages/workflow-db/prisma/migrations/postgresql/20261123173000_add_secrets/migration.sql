-- CreateTable
CREATE TABLE "StoredSecret" (
    "id" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "currentVersion" INTEGER NOT NULL,
    "isDisabled" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "lastResolvedAt" TIMESTAMP(3),
    "lastRotatedAt" TIMESTAMP(3),

    CONSTRAINT "StoredSecret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StoredSecretVersion" (
    "secretId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "keyId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT NOT NULL,

    CONSTRAINT "StoredSecretVersion_pkey" PRIMARY KEY ("secretId", "number")
);

-- CreateIndex
CREATE UNIQUE INDEX "stored_secret_workspace_ref_key" ON "StoredSecret"("workspace", "ref");

-- AddForeignKey
ALTER TABLE "StoredSecretVersion" ADD CONSTRAINT "StoredSecretVersion_secretId_fkey" FOREIGN KEY ("secretId") REFERENCES "StoredSecret"("id") ON DELETE CASCADE ON UPDATE CASCADE;
