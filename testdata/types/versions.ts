// Made by `metactl types`. Do not edit: make it again when the CustomResourceDefinition changes.
// Web of example.com: v1, v1beta1

import type { Metadata } from 'metactl';

export type Web = WebV1beta1;

export interface WebV1 {
  apiVersion: 'example.com/v1';
  kind: 'Web';
  metadata: Metadata;
  spec?: WebV1Spec;
}

export interface WebV1Spec {
  image?: string;
}

/** @deprecated use v1 */
export interface WebV1beta1 {
  apiVersion: 'example.com/v1beta1';
  kind: 'Web';
  metadata: Metadata;
  spec?: WebV1beta1Spec;
}

export interface WebV1beta1Spec {
  picture?: string;
}
